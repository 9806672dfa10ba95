import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';

interface PageHeadingProps {
  title: string;
  text?: ReactNode;
  /** uses the larger h1 style of the shop's pages instead of the dashboard's */
  display?: boolean;
  children?: ReactNode;
}

/** A page's h1 and a line about the page's purpose, with actions next to them. */
export function PageHeading({ title, text, display, children }: PageHeadingProps) {
  return (
    <Group justify="space-between" align="flex-end" gap="sm" mb="lg">
      <div>
        <Title order={1} size={display ? 'h1' : 'h2'}>
          {title}
        </Title>
        {text ? (
          <Text c="dimmed" mt="xs">
            {text}
          </Text>
        ) : null}
      </div>
      {children}
    </Group>
  );
}

/** Sets the document's title: '{page} - Micro Center'. */
export function usePageTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} - Micro Center`;
  }, [page]);
}
