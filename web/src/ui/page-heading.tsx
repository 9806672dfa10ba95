import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';

/** A page's h1, a line that says what the page is for, and actions beside it. */
export function PageHeading({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-end" gap="sm" mb="lg">
      <div>
        <Title order={1} size="h2">
          {title}
        </Title>
        {text ? (
          <Text c="dimmed" mt={4}>
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
