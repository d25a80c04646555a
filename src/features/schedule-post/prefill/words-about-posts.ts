/** Words that name the text after them, and aren't a part of it: "saturday 9am caption: Hello". */
export const LABEL =
  /^(?:(?:with|mit|avec|con|com|met)\s+)?(?:text|body|copy|caption|content|message|post|texte|texto|testo|tekst)$/i;

/** Nouns of what is attached to a post, in all languages. */
const ATTACHED =
  'photo pic picture image video link gif clip attachment foto bild anhang vidéo lien imagen imágenes enlace imagem imagens immagine immagini afbeelding afbeeldingen beeld Foto Bild Bildern Video Link Anhang'.replaceAll(
    ' ',
    '|',
  );

/**
 * Words that say how the text after them is to be posted, and can't begin it: "with a photo", "cc @anna" and "HQ time",
 * unlike "by @anna" and "tea time". Nothing is done about them, so a note quotes them.
 */
export const ABOUT_POST = new RegExp(
  [
    `(?:with|mit|avec|con|com|met)\\s(?:(?:an?|eine[mr]|un[aeo]?|uma?|een)\\s)?(?:${ATTACHED})s?`,
    'cc\\s@.+',
    'latest|local|daily|urgent|dringend',
    '(?:HQ|headquarters|(?:head\\s)?office|company|client)\\stime',
    '\\p{Lu}{2,5}-[Zz]eit',
    '(?:heure|hora|horário|ora)\\sd(?:[aeiou]l?|e\\sla)\\s\\p{Lu}\\S+',
  ]
    .map((words) => `^(?:${words})$`)
    .join('|'),
  'u',
);

/** Words after a time for whom or with what the post is: "31 november for the team". */
export const MORE_ABOUT_POST = /\s(?:for|with|cc|für|mit|pour|avec|para|con|com|per|voor|met)\s.*$/i;
