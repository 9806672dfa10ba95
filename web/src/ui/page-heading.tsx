import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A page's one level-1 heading, what it is for in a line, and what can be done beside it. */
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
