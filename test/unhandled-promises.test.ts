import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * An unhandled rejection ends the process. The linter's rule no-floating-promises finds unhandled promises that are
 * statements. This test finds calls that `void` discards without a rejection handler, as in `() => void f()`. It
 * doesn't know types, so calls that return no promise are written without `void`.
 */

const root = join(import.meta.dirname, '..');

/** Finds each call that `void` discards without a rejection handler, as `file:line text`. */
function findUnhandled(file: string, text: string): string[] {
  if (!text.includes('void')) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext);
  const findings: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVoidExpression(node) && !isHandled(node.expression)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      findings.push(`${file}:${line + 1} ${node.getText(source).split('\n')[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

/** Whether the expression ends with `.catch(…)` or `.then(…, …)`, or with either of them and `.finally(…)`. */
function isHandled(expression: ts.Expression): boolean {
  const inner = ts.isParenthesizedExpression(expression) ? expression.expression : expression;
  if (ts.isAwaitExpression(inner)) return true;
  if (!ts.isCallExpression(inner) || !ts.isPropertyAccessExpression(inner.expression)) return false;
  const { name, expression: target } = inner.expression;
  if (name.text === 'catch') return inner.arguments.length > 0;
  if (name.text === 'then') return inner.arguments.length > 1;
  return name.text === 'finally' && isHandled(target);
}

test.each([
  ['() => void work()', true],
  ['() => void work().then(() => 1)', true],
  ['() => void work().catch(() => 1).then(() => 1)', true],
  ['() => void work().finally(() => 1)', true],
  ['() => void work().catch(() => 1)', false],
  ['() => void work().then(() => 1, () => 1)', false],
  ['() => void work().catch(() => 1).finally(() => 1)', false],
  ['async () => void (await work())', false],
])('%s is a finding: %s', (expression, isFound) => {
  expect(findUnhandled('sample.ts', `const sample = ${expression};`)).toHaveLength(isFound ? 1 : 0);
});

test('src discards no promise without a rejection handler', () => {
  // In a browser, an unhandled rejection ends nothing: the page's scripts may discard promises.
  const files = globSync('{packages/*/,}src/**/*.ts', { cwd: root, exclude: ['**/src/page/**'] });
  expect(files.flatMap((file) => findUnhandled(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
