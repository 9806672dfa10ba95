/** Patterns of words that make a reader stumble, and what to write instead. A space in a pattern also matches a line break in a comment. */
const INSTEAD: Readonly<Record<string, string>> = {
  anew: "'again' or 'from scratch'",
  'for ever': "'forever' or 'indefinitely'",
  whoever: "'anyone who', 'the user who' or 'the caller'",
  'so many(?! that)': 'the number, or "this many"',
  'all but': "'almost', or 'all except'",
  '(?:is|was) to be': "'must be', 'will be' or 'should be'",
  '(?<!(?:all|both|each|most|none|one|some) )of (?:which|whom)': "'whose', or a sentence of its own",
  'such as do': "'those that do'",
  '(?:in|a) vain': "'failed', or 'without success'",
  'held up|holds? up': "'delays' or 'blocks'",
  'ma[dk]e[sn]? ready': "'prerendered' or 'prepared'",
  'tak(?:es?|en|ing) in(?! turns)': "'apply' or 'accept'",
  lest: "'so that ... not'",
};

const PATTERNS = Object.entries(INSTEAD).map(([phrase, instead]) => {
  const words = phrase.replaceAll(' ', '[\\s*/#]+');
  return { pattern: new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'gi'), instead };
});

interface Found {
  /** the line number, starting at 1 */
  readonly line: number;
  readonly words: string;
  readonly instead: string;
}

/** Finds the words in `text` that make a reader stumble, in order of appearance. */
export function findWords(text: string): Found[] {
  const found = PATTERNS.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map((match) => ({ match, instead })),
  );
  return found
    .sort((one, other) => one.match.index - other.match.index)
    .map(({ match: { 0: words, index }, instead }) => ({
      line: text.slice(0, index).split('\n').length,
      words: words.replace(/[\s*/#]+/g, ' '),
      instead,
    }));
}
