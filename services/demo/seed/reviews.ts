import type { NewReview } from '../../contracts/review/review-requests.ts';

export interface DemoReview extends NewReview {
  id: string;
  postedAt: string;
}

export const DEMO_REVIEWS: readonly DemoReview[] = [
  {
    id: '5ae8801d80ad97f29423db48d4372e38',
    postedAt: '2025-10-28T12:30:00.000Z',
    name: 'Bulbul Stream 8',
    ratings: 5,
    username: 'Nusrat Jahan',
    description:
      'I stream four evenings a week and it has not dropped a frame yet. Cables were tied neatly and it is quieter than my ceiling fan. Worth every taka.',
  },
  {
    id: '6e5728323355613a2064f33f0e3b4164',
    postedAt: '2025-10-21T12:30:00.000Z',
    name: 'Shrabon M3 Mesh',
    ratings: 4.6,
    username: 'Tanvir Hasan',
    description:
      'Bought three for our gaming corner in Mirpur. Temperatures fell by about nine degrees compared with the old casings. The dust filter could be a little thicker.',
  },
  {
    id: '0af638433110958fbc9295f1d10651fc',
    postedAt: '2025-10-13T12:30:00.000Z',
    name: 'Sheesh Panorama',
    ratings: 5,
    username: 'Farhana Akter',
    description:
      'The glass came without a scratch and the corner really has no pillar. Everyone who visits asks about it.',
  },
  {
    id: '20b71099b47a177758338464ce69da16',
    postedAt: '2025-10-06T12:30:00.000Z',
    name: 'Slate S1 Slim Desktop',
    ratings: 4,
    username: 'Rafiqul Islam',
    description:
      'Ten pieces for our training centre. They fit under the monitors and the included supply is enough for office work. Screws were a bit tight at first.',
  },
  {
    id: '256816a6ee98dedefa96ed5e68ce763e',
    postedAt: '2025-09-29T12:30:00.000Z',
    name: "Beige Box '95",
    ratings: 5,
    username: 'Imtiaz Chowdhury',
    description:
      'My father laughed out loud when he saw the turbo button. There is a fast new machine inside and nobody believes it.',
  },
  {
    id: 'cf40270b05a436c9b30503da8933706f',
    postedAt: '2025-09-22T12:30:00.000Z',
    name: 'Twinroom 2C',
    ratings: 4,
    username: 'Sadia Rahman',
    description:
      'Hiding the cables took ten minutes instead of an hour. It is wider than I expected, so measure your desk first.',
  },
  {
    id: '2e16e0a7b7b78c0ec05f09732a2273e9',
    postedAt: '2025-09-15T12:30:00.000Z',
    name: 'Jonaki Starter',
    ratings: 3,
    username: 'Mehedi Hasan',
    description:
      'Good for my classes and for football games on low settings. I added more storage after a month, but it was easy to open.',
  },
  {
    id: 'a3d0020f6690b0b451c940b8f045db58',
    postedAt: '2025-09-08T12:30:00.000Z',
    name: 'Heron Mini',
    ratings: 4.5,
    username: 'Anika Tabassum',
    description:
      'Tiny, quiet and fast enough for editing wedding photos. The wooden top gets warm after long exports, nothing worrying.',
  },
];
