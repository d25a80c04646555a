/** Zones with different clock changes in 2026 and 2027, and some without any. Their place names are distinct. */
export const CHANGING_ZONES = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'America/Havana',
  'Pacific/Chatham',
  'Antarctica/Troll',
  'Africa/Cairo',
  'America/Santiago',
  'Asia/Kolkata',
  'America/St_Johns',
  'Atlantic/Azores',
  'Australia/Sydney',
  'Pacific/Auckland',
  'Asia/Beirut',
  'America/Nuuk',
  'Asia/Gaza',
];

/** Additional zones. Simulations change digests from the other zones to these. */
export const SPARE_ZONES = [
  'Europe/Dublin',
  'America/Chicago',
  'Asia/Tokyo',
  'America/Denver',
  'Europe/Athens',
  'Africa/El_Aaiun',
  'Pacific/Easter',
  'Asia/Jerusalem',
  'America/Miquelon',
  'Australia/Adelaide',
];
