import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { phoneSchema } from '@micro-center/services/contracts/phone.ts';
import { languageOf } from '../../ui/language.ts';

/** The validation rules for the fields of `DeliveryFields`. */
export const DELIVERY_RULES = {
  address: (address: string) => (address.trim() === '' ? 'Enter the address to deliver to.' : null),
  phone: (phone: string) => phoneSchema.safeParse(phone).error?.issues[0]?.message ?? null,
};

interface DeliveryFieldsProps {
  form: Pick<UseFormReturnType<Pick<OrderView, 'address' | 'phone'>>, 'values' | 'getInputProps'>;
  autoFocus?: boolean;
}

export function DeliveryFields({ form, autoFocus = false }: DeliveryFieldsProps) {
  return (
    <>
      <TextInput
        label="Address"
        required
        autoFocus={autoFocus}
        autoComplete="street-address"
        maxLength={500}
        lang={languageOf(form.values.address)}
        {...form.getInputProps('address')}
      />
      <TextInput
        label="Phone"
        required
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        {...form.getInputProps('phone')}
      />
    </>
  );
}
