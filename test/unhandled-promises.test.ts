import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * An unhandled rejection ends the process. The linter's rule no-floating-promises finds unhandled promises that are
 * statements, including `void promise`. This test finds `void promise` inside an expression, as in `() => void f()`.
 */

const root = join(import.meta.dirname, '..');
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};

/** Finds each `void promise` without a rejection handler in these files, as `file:line`. */
function findUnhandled(program: ts.Program, files: readonly string[]): string[] {
  const checker = program.getTypeChecker();
  const findings: string[] = [];
  const visit = (source: ts.SourceFile, node: ts.Node): void => {
    if (ts.isVoidExpression(node) && !isHandled(node.expression) && isPromise(checker, node.expression)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      findings.push(`${relative(root, source.fileName)}:${line + 1} ${node.getText(source).split('\n')[0]}`);
    }
    ts.forEachChild(node, (child) => visit(source, child));
  };
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`${file} isn't part of the program`);
    visit(source, source);
  }
  return findings;
}

/** Whether the expression ends with `.catch(…)` or `.then(…, …)`, or with either of them and `.finally(…)`. */
function isHandled(expression: ts.Expression): boolean {
  const inner = ts.isParenthesizedExpression(expression) ? expression.expression : expression;
  if (!ts.isCallExpression(inner) || !ts.isPropertyAccessExpression(inner.expression)) return false;
  const { name, expression: target } = inner.expression;
  if (name.text === 'catch') return inner.arguments.length > 0;
  if (name.text === 'then') return inner.arguments.length > 1;
  return name.text === 'finally' && isHandled(target);
}

function isPromise(checker: ts.TypeChecker, expression: ts.Expression): boolean {
  const type = checker.getTypeAtLocation(expression);
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((part) => checker.getPropertyOfType(part, 'then') !== undefined);
}

/** Expressions, each with whether it is a finding. */
const SAMPLES: readonly (readonly [expression: string, isFound: boolean])[] = [
  ['() => void work()', true],
  ['() => void work().then(() => 1)', true],
  ['() => void work().catch(() => 1).then(() => 1)', true],
  ['() => void work().finally(() => 1)', true],
  ['() => void work().catch(() => 1)', false],
  ['() => void work().then(() => 1, () => 1)', false],
  ['() => void work().catch(() => 1).finally(() => 1)', false],
  ['async () => void (await work())', false],
  ['() => void [].push()', false],
];
const SAMPLE_FILE = join(root, 'samples.ts');
const SAMPLE_TEXT = [
  'declare function work(): Promise<number>;',
  ...SAMPLES.map(([expression], index) => `export const sample${index} = ${expression};`),
].join('\n');

/** Creates one program for all files, because it takes long to read the types of all packages. */
function createProgram(files: readonly string[]): ts.Program {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === SAMPLE_FILE || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === SAMPLE_FILE
      ? ts.createSourceFile(file, SAMPLE_TEXT, ts.ScriptTarget.ESNext)
      : getSourceFile(file, ...rest);
  return ts.createProgram([...files, SAMPLE_FILE], OPTIONS, host);
}

test('src discards no promise without a rejection handler', {
  timeout: 120_000,
}, () => {
  // In a browser, an unhandled rejection ends nothing: the page's scripts may discard promises.
  const files = globSync('{packages/*/,}src/**/*.ts', { cwd: root, exclude: ['**/src/page/**'] }).map(
    (file) => join(root, file),
  );
  const program = createProgram(files);
  const expected = SAMPLES.flatMap(([, isFound], index) => (isFound ? [`samples.ts:${index + 2}`] : []));
  expect(findUnhandled(program, [SAMPLE_FILE]).map((findings) => findings.split(' ')[0])).toEqual(expected);
  expect(findUnhandled(program, files)).toEqual([]);
});
