import { Anchor, Stack, Text, Title } from '@mantine/core';
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
  { area: 'Keeping it right', skills: ['Vitest', 'Playwright', 'Event sourcing', 'Load tests'] },
];

/** `to` is a route of this app, `href` a page of the server. */
type Project = { name: string; text: string; link: string } & ({ to: string } | { href: string });

const PROJECTS: Project[] = [
  {
    name: 'Micro Center storefront',
    text: 'This shop: a catalogue whose stock and orders move while you look at them.',
    to: '/allproducts',
    link: 'Open the catalogue',
  },
  {
    name: 'Micro Center API',
    text: 'The calls behind the shop, described in OpenAPI and tried out in the browser.',
    href: '/docs',
    link: 'Read the documentation',
  },
  {
    name: 'Interview notes',
    text: 'Short answers to the questions that developers are asked most.',
    to: '/blogs',
    link: 'Read the blog',
  },
];

/** The developer behind the shop: education, skills, project links (R7, B2). */
export default function PortfolioPage() {
  usePageTitle('Portfolio');
  return (
    <Stack gap="var(--space-12)" maw="60rem" mx="auto">
      <header>
        <Title order={1}>Samira Anwar</Title>
        <Text c="dimmed" mt="sm" maw="60ch">
          Web developer in Dhaka. I build shops and the machinery behind them, with a liking for systems that say
          plainly what they are doing.
        </Text>
      </header>
      <section className={styles.section} aria-labelledby="education">
        <Title order={2} id="education">
          Education
        </Title>
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
      </section>
      <section className={styles.section} aria-labelledby="skills">
        <Title order={2} id="skills">
          Skills
        </Title>
        <dl className={styles.skills}>
          {SKILLS.map(({ area, skills }) => (
            <div key={area}>
              <dt>{area}</dt>
              <dd>{skills.join(', ')}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={styles.section} aria-labelledby="projects">
        <Title order={2} id="projects">
          Projects
        </Title>
        <Stack component="ul" gap="lg">
          {PROJECTS.map((project) => (
            <li key={project.name}>
              <Text fw={600}>{project.name}</Text>
              <Text size="sm" c="dimmed" mb="xs">
                {project.text}
              </Text>
              {'to' in project ? (
                <Anchor component={Link} to={project.to} size="sm">
                  {project.link}
                </Anchor>
              ) : (
                <Anchor href={project.href} size="sm">
                  {project.link}
                </Anchor>
              )}
            </li>
          ))}
        </Stack>
      </section>
    </Stack>
  );
}
