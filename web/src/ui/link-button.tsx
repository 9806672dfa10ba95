import { Button, type ButtonProps } from '@mantine/core';
import { Link, type LinkProps } from 'react-router-dom';

/** A button that leads to another page. */
export function LinkButton(props: ButtonProps & Omit<LinkProps, keyof ButtonProps>) {
  return <Button component={Link} {...props} />;
}
