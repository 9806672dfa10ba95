import { Accordion, Stack, Text, Title } from '@mantine/core';
import { usePageTitle } from '../../ui/page-heading.tsx';
import styles from './blogs-page.module.css';
import { QUESTIONS } from './questions.ts';

/** How long a panel takes to open or close, in milliseconds. */
export const COLLAPSE_DURATION = 300;

/** Questions and answers in an accordion (R3, B1). */
export default function BlogsPage() {
  usePageTitle('Blogs');
  return (
    <div className={styles.page}>
      <Title order={1}>Blogs</Title>
      <Text c="dimmed" mt="sm" mb="lg">
        Five questions from our interviews with developers, and how we would answer them.
      </Text>
      <Accordion
        multiple
        transitionDuration={COLLAPSE_DURATION}
        order={2}
        classNames={{ root: styles.panels, control: styles.control, label: styles.question, content: styles.answer }}
      >
        {QUESTIONS.map(({ question, answer }, position) => (
          <Accordion.Item key={question} value={String(position)}>
            <Accordion.Control>{question}</Accordion.Control>
            <Accordion.Panel>
              <Stack gap="md" pt="sm" pb="md">
                {answer.map((part) =>
                  typeof part === 'string' ? (
                    <Text key={part}>{part}</Text>
                  ) : (
                    <pre key={part.code} className={styles.code}>
                      <code>{part.code}</code>
                    </pre>
                  ),
                )}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </div>
  );
}
