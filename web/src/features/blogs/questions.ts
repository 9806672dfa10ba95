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
      'So the first wins are usually outside the components. Split the code by route, so that shoppers do not download the admin tables. Give images a fixed size, and lazy-load those below the fold. Cache the server’s responses, so that nothing is fetched twice.',
      'Then make fewer components render. Keep state close to where it is used, so that a keystroke in a form does not re-render the page around it. Pass stable references, and wrap an expensive component in memo only if the profiler shows that it pays off. Give list items stable keys, and render only the visible rows of a long table.',
    ],
  },
  {
    question: 'What are the different ways to manage a state in a React application?',
    answer: [
      'First, ask what kind of state it is. Local state, such as whether a panel is open, belongs in the component, with useState or useReducer. State that two sibling components share is lifted to their common parent.',
      'State that many components read but that rarely changes, such as the theme or the signed-in user, goes into a context. State that changes often and from many places is easier to follow in a store such as Redux, where every change has a name and can be replayed.',
      'Data from the server is only a copy of state that the server owns. It needs a cache that knows how old the copy is and how to refresh it: RTK Query here, TanStack Query elsewhere. State that should survive a reload or be shared as a link, such as a search, belongs in the URL.',
    ],
  },
  {
    question: 'What is a unit test? Why should we write unit tests?',
    answer: [
      'A unit test takes one small piece of a program, gives it known input and checks what comes out, without a network, a database or a browser. It runs in milliseconds, so it can run on every change.',
      'It shows immediately that something broke, and where. It also documents what the code promises: the tests of a discount rule are the shortest specification of that rule. And code that can be tested on its own has to be loosely coupled, which is what we want anyway.',
      'A good unit test checks what the caller sees, not how the code works, and it fails when the code is wrong. A test that pins every internal call breaks with each improvement and catches no bugs. Leave the question of whether the pieces work together to a few slower, higher-level tests.',
    ],
  },
  {
    question: 'You have an array of products. How will you find the ones with a certain name?',
    answer: [
      'To get every product with a given name, use filter. To get only the first one, use find, which stops at the first match. People do not type names the way we store them, so trim the search text, lower-case both the text and the name, and check whether the name includes the text.',
      {
        code: `const wanted = query.trim().toLowerCase();
const matches = products.filter((product) =>
  product.name.toLowerCase().includes(wanted),
);`,
      },
      'This checks every product, which is fine for a few thousand. If you often look up exact names in the same list, build a Map from name to product once, so that each lookup is direct. Once the list is too large to send to the browser, search it on the server, with an index.',
    ],
  },
  {
    question: 'Why not set the state directly in React? Why use a setter?',
    answer: [
      'Because React would not notice. A component is a function that React calls when something has changed, and the setter is what tells React about the change. If you change a variable directly, the screen does not show the new value until something else causes a render.',
      'Mutating an object or array has a second cost. React and memo compare by reference, so the same object counts as unchanged even if its contents differ. Create a new object with the changes instead, and leave the old one alone.',
      { code: 'setProducts((current) => [...current, added]);' },
      'The setter also lets React batch several changes into one render and pass each update the latest value. That is why you should use the function form above if the next state depends on the previous one. Each render shows a consistent snapshot of the state.',
    ],
  },
];
