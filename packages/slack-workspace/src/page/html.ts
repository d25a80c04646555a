import htm from 'htm';
import { h } from 'preact';

/** Templates instead of JSX. Preact escapes all text in them, so no text becomes HTML. */
export const html = htm.bind(h);
