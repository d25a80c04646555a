import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Directory } from './directory.ts';

export const DirectoryContext = createContext<Directory | undefined>(undefined);

export function useDirectory(): Directory {
  const directory = useContext(DirectoryContext);
  if (directory === undefined) throw new Error('There is no directory around this component.');
  return directory;
}
