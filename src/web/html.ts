import { html as parse } from 'htm/preact';
import { isValidElement, type VNode } from 'preact';
import { render } from 'preact-render-to-string';

/** A piece of a page. Only `html` makes one, so that an object of outside can't be mistaken for it. */
export type Html = VNode;
/** What a template takes. A Date or an object of data doesn't compile, because Preact would leave it out in silence. */
export type Child = Html | string | number | boolean | null | undefined | readonly Child[];

/** Builds a piece of a page. Values are escaped, and attributes quoted, wherever they stand in the template. */
export function html(strings: TemplateStringsArray, ...values: Child[]): Html {
  const result: unknown = parse(strings, ...values);
  // htm makes something else of several roots, and of a tag that isn't closed.
  if (!isValidElement(result)) throw new TypeError('a template has one root, and closes its tags');
  return result;
}

export const renderDocument = (root: Html): string => `<!doctype html>\n${render(root)}`;
