/** Zones whose clocks change in 2026 and 2027, each in its own way, and some that never do; no two have one place's name. */
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

/** Others, for digests that move. */
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
