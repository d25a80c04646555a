import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** @import { Directory } from './directory.js' */

export const DirectoryContext = createContext(/** @type {Directory | undefined} */ (undefined));

/** @returns {Directory} */
export function useDirectory() {
  const directory = useContext(DirectoryContext);
  if (directory === undefined) throw new Error('There is no directory around this component.');
  return directory;
}
