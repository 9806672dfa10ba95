import { readFileSync } from 'node:fs';
import ts from 'typescript';

const DESCRIBES = new Set(['describe', 'suite']);
const TESTS = new Set(['it', 'test']);

/** Returns the first name in a call: 'it' for `it(...)` and `it.each([...])(...)`, 'describe' for `describe.skipIf(...)(...)`. */
function calledName(call: ts.CallExpression): string {
  let callee: ts.Expression = call.expression;
  while (!ts.isIdentifier(callee)) {
    if (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
    else return '';
  }
  return callee.text;
}

const words = (title: ts.Expression | undefined, source: ts.SourceFile): string | null =>
  title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))
    ? title.getText(source).slice(1, -1)
    : null;

/**
 * Returns the title of each test, preceded by the titles of its `describe` blocks. Parses the file instead of running
 * vitest, because vitest would start servers just to list the tests.
 */
export function titlesIn(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node, above: readonly string[]): void => {
    let here = above;
    if (ts.isCallExpression(node)) {
      const title = words(node.arguments[0], source);
      if (title !== null && TESTS.has(calledName(node))) titles.push([...above, title].join(' > '));
      if (title !== null && DESCRIBES.has(calledName(node))) here = [...above, title];
    }
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(source, []);
  return titles;
}
