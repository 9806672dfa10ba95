import { Text, Title } from '@mantine/core';
import {
  IconBulb,
  IconCamera,
  IconCpu,
  IconDatabase,
  IconDeviceDesktop,
  IconDeviceLaptop,
  IconDeviceSdCard,
  IconDeviceWatch,
  IconHeadphones,
  IconKeyboard,
  IconMouse,
  IconPrinter,
} from '@tabler/icons-react';
import styles from './upcoming-products.module.css';

const CATEGORIES = [
  { name: 'Camera', Icon: IconCamera },
  { name: 'Headset', Icon: IconHeadphones },
  { name: 'Light', Icon: IconBulb },
  { name: 'Memory', Icon: IconCpu },
  { name: 'HDD', Icon: IconDatabase },
  { name: 'SD card', Icon: IconDeviceSdCard },
  { name: 'Printer', Icon: IconPrinter },
  { name: 'Smartwatch', Icon: IconDeviceWatch },
  { name: 'Keyboard', Icon: IconKeyboard },
  { name: 'Mouse', Icon: IconMouse },
  { name: 'Monitor', Icon: IconDeviceDesktop },
  { name: 'Laptop', Icon: IconDeviceLaptop },
];

/** Upcoming categories, for display only (H8). */
export function UpcomingProducts() {
  return (
    <section aria-labelledby="upcoming">
      <Text size="sm" c="dimmed" mb="xs">
        Upcoming Products Category
      </Text>
      <Title order={2} id="upcoming" mb="lg">
        Register for New Upcoming Products and Discounts Offer Notification
      </Title>
      <ul className={styles.categories}>
        {CATEGORIES.map(({ name, Icon }) => (
          <li key={name} className={styles.category}>
            <Icon size={24} stroke={1.5} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}
