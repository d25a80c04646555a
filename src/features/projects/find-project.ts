import type { Project } from '../../api/projects.ts';

/** The projects that the words mean: by id, by the whole name, else by how the name begins. */
export function findProject(words: string, projects: readonly Project[]): readonly Project[] {
  const wanted = plain(words);
  const byId = projects.filter(({ id }) => id === words.trim());
  if (byId.length > 0) return byId;
  const exact = projects.filter(({ name }) => plain(name) === wanted);
  if (exact.length > 0) return exact;
  return wanted === '' ? [] : projects.filter(({ name }) => plain(name).startsWith(wanted));
}

/** As people compare names: without case, quotes, invisible characters and doubled blanks. */
function plain(words: string): string {
  return words
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}"'`“”„‘’«»]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
