import { EXTRA_FIELDS } from '../api/post-fields.ts';

/**
 * What the columns are for of which a table has one each. `when`: date and time in one. `half`: whether the time is before
 * or after noon.
 */
export const SINGLE = [
  'when',
  'date',
  'clock',
  'half',
  'zone',
  'text',
  'link',
  'hashtags',
  'status',
  'draft',
  ...EXTRA_FIELDS.map(({ name }) => name),
] as const;

/**
 * What a column is for. `day`: the date, or only its weekday if another column has the date. `visual`: media, or a
 * description for whoever makes them. `customer`: whose posts they are, perhaps as a project. `elsewhere`: whether the post
 * also goes to a network that Upnext doesn't know. `ignored`: a column of Upnext's exports and correction files.
 */
export type Role =
  | (typeof SINGLE)[number]
  | 'day'
  | 'media'
  | 'visual'
  | 'project'
  | 'customer'
  | 'platforms'
  | 'elsewhere'
  | 'ignored';

/**
 * The names of columns, in the form that `normalizeName` gives them. Besides the names of spreadsheet people they are those
 * of Upnext's export and template, and of the files that other tools export or import (read in November 2026):
 *
 * - Agorapulse: support.agorapulse.com/de/articles/8774056
 * - Ayrshare: ayrshare.com/docs/apis/post/bulk-post
 * - Buffer: support.buffer.com/article/926-how-to-upload-posts-in-bulk-to-buffer
 * - Hootsuite, date, message and link without a first row of names: `readHeadless`
 * - Metricool, with a column for each platform
 * - Oktopost, “Network, Message, LinkUrl, ImageUrl”: community.oktopost.com/knowledgebase/articles/386002
 * - Publer: publer.com/help/en/article/how-to-use-a-csv-file-18qhxcq
 * - SocialBee and HighLevel: help.socialbee.com/article/80-how-do-i-import-content-via-csv
 * - Sprout Social: support.sproutsocial.com/hc/en-us/articles/115005864203
 */
const NAMES: Readonly<Record<Role, string>> = {
  when: `when|datetime|time and date|day and time|publish|publish at|publish on|scheduled|schedule|scheduled at
    |scheduled for|schedule at|post at specific time|send at|go live|due|date intl format or prompt|timestamp|wann
    |zeitpunkt|日時|投稿日時`,
  date: `date|post date|posting date|publish date|publishing date|publication date|schedule date|scheduled date
    |scheduling date|send date|go live date|live date|start date|due date|datum|fecha|data|日付
    |veröffentlichungsdatum|date de publication|fecha de publicación|data di pubblicazione|data de publicação`,
  day: 'day|tag|dia|día|jour|giorno|dag',
  clock: `time|time 24hr|time 24 hr|hour|time of day|clock|post time|posting time|publish time|publishing time
    |publication time|schedule time|scheduled time|send time|start time|uhrzeit|zeit|heure|hora|ora|orario|tijd|時間|時刻
    |heure de publication|hora de publicación|ora di pubblicazione|hora de publicação`,
  half: 'am pm|ampm|am or pm|a m p m',
  zone: `time zone|timezone|tz|post s time zone|zone|zeitzone|fuseau horaire|zona horaria|fuso orario|fuso horario
    |tijdzone|タイムゾーン`,
  text: `text|texts|message|message text|content|caption|captions|post|post text|post content|post copy|copy
    |social copy|body|tweet|update|status text|update text|beitrag|beitragstext|posttext|nachricht|texte|texto|testo|tekst
    |bericht|mensaje|mensagem|messaggio|légende|本文|投稿|テキスト`,
  link: 'link|links|link url|url|urls|og meta url|share link|website|lien|enlace|collegamento|リンク',
  hashtags: `hashtag|hashtags|hash tags|post hashtags|mots dièse|ハッシュタグ`,
  media: `media|media url|media urls|media link|media links|image|images|image url|image urls|image link|picture
    |pictures|picture url|photo|photos|photo url|video|videos|video url|video urls|gif|gif url|gif urls|attachment
    |attachments|asset|asset url|bild|bilder|imagen|imagem|immagine|afbeelding|média|médias|medien|画像|メディア`,
  visual: `creative|creatives|visual|visuals|graphic|graphics|image file|image name|file name|filename|foto|fotos|vidéo
    |vidéos|grafik|bilddatei|bildlink|dateiname|visuel|visuels`,
  altText: `alt text|alt texts|alt|alternative text|alt text picture|alt text image|image alt text|media alt text
    |picture alt text|image description|picture description|media description|alternativtext|bildbeschreibung
    |texte alternatif|texto alternativo|testo alternativo|alternatieve tekst|代替テキスト`,
  platforms: `platform|platforms|network|networks|social network|social networks|social media|channel|channels|profile
    |profiles|social profile|social profiles|account|accounts|social account|social accounts|plattform|plattformen
    |netzwerk|netzwerke|kanal|kanäle|konto|konten|profil|profile|plateforme|plateformes|réseau|réseaux|canal|canaux
    |compte|comptes|profils|plataforma|plataformas|red social|redes|canales|cuenta|cuentas|perfil|perfiles
    |réseau social|réseaux sociaux|redes sociales|redes sociais|rede social|rede|canais|conta|contas|perfis
    |piattaforma|piattaforme|canale|canali|profilo|profili|rete|kanaal|kanalen|netwerk|netwerken|profiel|profielen
    |プラットフォーム|チャンネル|チャネル|アカウント|媒体|sns`,
  project: `project|project name|projekt|projektname|projet|proyecto|progetto|projeto|プロジェクト`,
  customer: `client|clients|customer|customers|brand|brands|company|kunde|kunden|kundin|kundenname|auftraggeber|mandant
    |marke|marken|firma|unternehmen|marque|marques|entreprise|société|cliente|clientes|marca|marcas|empresa|sociedad
    |clienti|marchio|azienda|klant|klanten|klantnaam|opdrachtgever|merk|merken|bedrijf|クライアント|顧客|顧客名|お客様
    |取引先|ブランド|ブランド名|会社|会社名`,
  elsewhere: `bluesky|bsky|mastodon|snapchat|whatsapp|whats app|google business|google my business|gmb|gbp
    |google business profile|tumblr|xing|discord|twitch|vk|line|wechat|weibo|truth social|nostr|medium|kununu
    |ブルースカイ|マストドン`,
  status: 'status|state|post status|statut|estado|stato|ステータス',
  draft: 'draft|is draft|mark as draft|save as draft|entwurf',
  ignored: 'hand over|author|row|row number|problem',
};

const isRole = (role: string): role is Role => Object.hasOwn(NAMES, role);

export const ROLES = new Map(
  Object.entries(NAMES).flatMap(([role, names]) =>
    isRole(role) ? names.split('|').map((name) => [name.trim(), role] as const) : [],
  ),
);
