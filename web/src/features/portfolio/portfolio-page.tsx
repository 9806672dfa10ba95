import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { usePageTitle } from '../../ui/page-heading.tsx';
import styles from './portfolio-page.module.css';

const EDUCATION = [
  { years: '2016 - 2020', title: 'BSc in Computer Science and Engineering', place: 'Dhaka' },
  { years: '2013 - 2015', title: 'Higher Secondary Certificate, science', place: 'Chattogram' },
];

const SKILLS = [
  { area: 'Languages', skills: ['TypeScript', 'JavaScript', 'SQL', 'HTML', 'CSS'] },
  { area: 'In the browser', skills: ['React', 'Redux Toolkit', 'Accessibility', 'Vite'] },
  { area: 'On the server', skills: ['Node.js', 'Express', 'Kafka', 'MongoDB', 'Redis'] },
  { area: 'Quality', skills: ['Vitest', 'Playwright', 'Event sourcing', 'Load tests'] },
];

const PROJECTS = [
  {
    name: 'Micro Center storefront',
    text: 'This shop: a catalogue where stock and orders update while you watch.',
    to: '/allproducts',
    link: 'Open the catalogue',
  },
  {
    name: 'Micro Center API',
    text: 'The API behind the shop, described in OpenAPI and ready to try in the browser.',
    to: '/docs',
    link: 'Read the documentation',
    // /docs is served by the server and isn't a route of this client.
    isElsewhere: true,
  },
  {
    name: 'Interview notes',
    text: 'Short answers to the questions that developers are asked most often.',
    to: '/blogs',
    link: 'Read the blog',
  },
];

/** Presents the developer behind the shop, with education, skills and project links (R7, B2). */
export default function PortfolioPage() {
  usePageTitle('Portfolio');
  return (
    <Stack gap="var(--space-12)" maw="60rem" mx="auto">
      <header>
        <Title order={1}>Samira Anwar</Title>
        <Text c="dimmed" mt="sm" maw="60ch">
          Web developer in Dhaka. I build online shops and the systems behind them, and I like software that says
          plainly what it is doing.
        </Text>
      </header>
      <Section id="education" title="Education">
        <Stack component="ol" gap="lg">
          {EDUCATION.map(({ years, title, place }) => (
            <li key={title}>
              <Text fw={600}>{title}</Text>
              <Text size="sm" c="dimmed">
                {place}, {years}
              </Text>
            </li>
          ))}
        </Stack>
      </Section>
      <Section id="skills" title="Skills">
        <dl className={styles.skills}>
          {SKILLS.map(({ area, skills }) => (
            <div key={area}>
              <dt>{area}</dt>
              <dd>{skills.join(', ')}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section id="projects" title="Projects">
        <Stack component="ul" gap="lg">
          {PROJECTS.map(({ name, text, to, link, isElsewhere }) => (
            <li key={name}>
              <Text fw={600}>{name}</Text>
              <Text size="sm" c="dimmed" mb="xs">
                {text}
              </Text>
              <Anchor component={Link} to={to} reloadDocument={isElsewhere} size="sm">
                {link}
              </Anchor>
            </li>
          ))}
        </Stack>
      </Section>
    </Stack>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
