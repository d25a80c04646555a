import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const SRC = join(import.meta.dirname, '../../src');

/** What the first parameter of an exported function takes: a text, texts, rows of cells, or anything. */
export type Input = 'text' | 'texts' | 'rows' | 'bytes' | 'anything';

/** An exported function of src whose first parameter takes text. */
export interface TextFunction {
  /** Such as `slack/name.ts#normalizeName`. */
  name: string;
  file: string;
  exportName: string;
  input: Input;
  /** The types of the further parameters that a call must have, as they are written. */
  furtherTypes: readonly string[];
}

const INPUTS: readonly (readonly [Input, RegExp])[] = [
  ['text', /^string( \| (undefined|null))?$/],
  ['texts', /^(readonly )?\(?string( \| undefined)?\)?\[\]$/],
  ['rows', /^(readonly )?\((readonly )?string\[\]\)\[\]$/],
  ['bytes', /^(Buffer|Uint8Array)$/],
  ['anything', /^unknown$/],
];

function getType({ type, initializer }: ts.ParameterDeclaration): string {
  if (type) return type.getText().replaceAll(/\s+/g, ' ');
  return initializer && ts.isStringLiteral(initializer) ? 'string' : '';
}

function isRequired({ initializer, questionToken, dotDotDotToken }: ts.ParameterDeclaration): boolean {
  return !initializer && !questionToken && !dotDotDotToken;
}

/** Lists the exported functions of a file, with their parameters. */
function* listExportedFunctions(
  source: ts.SourceFile,
): Generator<readonly [name: string, parameters: readonly ts.ParameterDeclaration[]]> {
  for (const statement of source.statements) {
    if (!ts.canHaveModifiers(statement)) continue;
    const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) continue;
    if (ts.isFunctionDeclaration(statement) && statement.name)
      yield [statement.name.text, statement.parameters];
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (initializer && ts.isArrowFunction(initializer)) yield [name.getText(), initializer.parameters];
  }
}

/** Finds all exported functions whose first parameter takes text, in the folders and files of src without `excluded`. */
export function findTextFunctions(excluded: readonly string[]): TextFunction[] {
  const files = globSync('**/*.ts', { cwd: SRC }).filter(
    (file) =>
      !file.endsWith('.d.ts') && !excluded.some((path) => file === path || file.startsWith(`${path}/`)),
  );
  return files.sort().flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return [...listExportedFunctions(source)].flatMap(([exportName, [first, ...further]]) => {
      const [input] = (first && INPUTS.find(([, pattern]) => pattern.test(getType(first)))) ?? [];
      if (input === undefined) return [];
      const furtherTypes = further.filter(isRequired).map(getType);
      return [{ name: `${file}#${exportName}`, file, exportName, input, furtherTypes }];
    });
  });
}

/** Imports the function. */
export async function importFunction({
  file,
  exportName,
}: TextFunction): Promise<(...args: unknown[]) => unknown> {
  const module = await import(join(SRC, file));
  return module[exportName];
}

/** Creates values of the first parameter: one long text, many short ones, and in a record. */
export function createInputs(input: Input, text: string): unknown[] {
  const pieces = text.match(/.{1,8}/gs) ?? [];
  switch (input) {
    case 'text':
      return [text];
    case 'texts':
      return [[text], pieces.map((piece, index) => `${piece}${index}`)];
    case 'rows':
      return [[[text]], [pieces], pieces.map((piece) => [piece])];
    case 'bytes':
      return [Buffer.from(text)];
    case 'anything':
      return [text, { Id: 'a', Content: text, message: text, detail: [text], type: text, data: [{ text }] }];
  }
}

/** A regular expression of src, with the texts that may take it long. */
interface Pattern {
  name: string;
  pattern: RegExp;
  texts: readonly ((length: number) => string)[];
}

/** Characters that match the classes of most patterns. */
const CLASS_CHARACTERS = [' ', '\n', 'a', '1', '.'];
const MAX_OWN_CHARACTERS = 8;

/** Reads the characters that a match begins with, such as "https://" of `\\bhttps?:\\/\\/\\S`. */
function readBeginning(body: string): string {
  const [beginning = ''] =
    /^(?:\w\??|\\[^\w\s]|[:/@<#&"' -])+/.exec(body.replace(/^(?:\((?:\?:)?|\\b)+/, '')) ?? [];
  return beginning.replaceAll(/[\\?]/g, '');
}

/** Creates runs of one character after another, and of the pattern’s beginning, which no end of a pattern follows. */
function createRuns(body: string): Pattern['texts'] {
  const punctuation = body.replaceAll(/\\[a-zA-Z]/g, '').match(/[^\p{L}\p{N}\\+*|^$]/gu) ?? [];
  const own = [...new Set(punctuation)].slice(0, MAX_OWN_CHARACTERS);
  const starts = ['', 'x', ...own.filter((character) => /[<([{"'`]/.test(character))];
  const beginning = readBeginning(body);
  return [...new Set([...CLASS_CHARACTERS, ...own, ...(beginning ? [beginning] : [])])].flatMap((run) =>
    starts.map((start) => (length: number) => `${start}${run.repeat(length / run.length)}\u0001x`),
  );
}

/** Lists the literals of regular expressions in src, in all folders and files without `excluded`. */
export function listPatterns(excluded: readonly string[]): Pattern[] {
  const files = globSync('**/*.ts', { cwd: SRC }).filter(
    (file) => !excluded.some((path) => file === path || file.startsWith(`${path}/`)),
  );
  return files.sort().flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const patterns: Pattern[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const [, body = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
        const pattern = new RegExp(body, flags.replace('y', ''));
        patterns.push({ name: `${file}: ${node.text}`, pattern, texts: createRuns(body) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return patterns;
  });
}
