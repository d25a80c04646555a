/** Behavior of the emulator that no documentation, SDK or issue confirms. */
export const UNVERIFIED_FACTS: readonly string[] = [
  'A message can have 50 different emoji, and 23 of one person. Slack documents `too_many_emoji` and `too_many_reactions` without numbers',
  'Metadata of more than 16 KB is refused. Slack documents `metadata_too_large` without a size',
  'Skin tones are refused on emoji that have none (`invalid_name`)',
  'All thumbnails are PNGs',
  'Argument names of more than 255 characters are refused (`invalid_arg_name`)',
  'Events are sent when a streamed message starts and when it is complete. Its `streaming_state` is `in_progress`, then `completed`',
  'Updates of a task append to its details and output',
  'A chat with an assistant starts with a message by the person, with the subtype `assistant_app_thread`',
  'A step’s token remains valid for five seconds after the step has ended',
  'A refresh token remains valid for one minute after its first use',
  'A missing argument is refused with `invalid_arguments`, unless the method documents another error for it',
];
