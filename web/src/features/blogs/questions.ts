interface Question {
  question: string;
  /** paragraphs and code samples, in order */
  answer: readonly (string | { code: string })[];
}

/** The most common questions in our interviews with developers, with the answers that we hope for. */
export const QUESTIONS: readonly Question[] = [
  {
    question: 'How will you improve the performance of a React application?',
    answer: [
      'Measure before changing anything. The profiler of React’s developer tools names the component that renders too often or too long, and the browser’s own recording shows whether the time goes into JavaScript, layout or the network. Most slow pages turn out to wait for bytes rather than for React.',
      'So the first wins are usually outside components: split the code by route, so that the admin tables are not sent to a shopper; give images a fixed size and load those below the fold late; cache what the server has sent, so that nothing is fetched twice.',
      'Then let fewer components render. Keep state close to where it is used, so that a keystroke in a form does not redraw the page around it. Pass stable references, and wrap expensive components in memo only once the profiler says that it pays off. Give list items keys that stay the same, and draw only the visible rows of a long table.',
    ],
  },
  {
    question: 'What are the different ways to manage a state in a React application?',
    answer: [
      'It helps to ask first what kind of state it is. Local state, such as whether a panel is open, belongs in the component with useState or useReducer. State that two neighbours share is lifted to the parent they have in common.',
      'State that many distant components read and that seldom changes, such as the theme or who is signed in, goes into context. State that changes often and from many places is easier to follow in a store such as Redux, where every change has a name and can be replayed.',
      'Data from the server is not our state but a copy of somebody else’s. It needs a cache that knows how old it is and how to bring it up to date: RTK Query here, TanStack Query elsewhere. And state that should survive a reload or be sent to a friend, such as a search, belongs in the URL.',
    ],
  },
  {
    question: 'What is a unit test? Why should we write unit tests?',
    answer: [
      'A unit test takes one small piece of a program, gives it known input and checks what comes out, without a network, a database or a browser. It runs in milliseconds, so it can run on every change.',
      'Its first use is to say at once, and close to the cause, that something broke. Its second is to write down what the code promises: the test of a discount rule is its shortest specification. And code that can be tested on its own has to be loosely coupled, which is what we want anyway.',
      'A good unit test checks what the caller sees, not how the code does it, and it can fail. One that pins every internal call breaks with each improvement and catches no mistake. Whether the pieces work together is a question for a few slower tests above them.',
    ],
  },
  {
    question: 'You have an array of products. How will you find the ones with a certain name?',
    answer: [
      'For all products of that name, use filter. For only the first one, use find, which stops as soon as it has it. People do not type names the way we store them, so both sides are trimmed and lower-cased before they are compared, and a search box checks whether the name includes the words.',
      {
        code: `const wanted = query.trim().toLowerCase();
const matches = products.filter((product) =>
  product.name.toLowerCase().includes(wanted),
);`,
      },
      'That looks at every product, which is fine for a few thousand. If the same list is searched again and again for exact names, build a Map from name to product once, and each lookup is direct. And once the list is too large to send, the search belongs to the server and its index.',
    ],
  },
  {
    question: 'Why do you not set the state directly in React? Why is a setter needed?',
    answer: [
      'Because React would not notice. A component is a function that React calls when it believes that something has changed, and the setter is how it learns of it. A variable changed behind its back stays off the screen until something else happens to cause a render.',
      'Changing an object in place has a second cost. React and memo compare by reference: the same object means nothing new, however different its insides are. So we make a new object with what changed and leave the old one as it was.',
      { code: 'setProducts((current) => [...current, added]);' },
      'The setter also lets React gather several changes into one render and hand each update the newest value, which is why the function form above is right if the next state depends on the last. What was rendered stays a consistent picture of one moment.',
    ],
  },
];
