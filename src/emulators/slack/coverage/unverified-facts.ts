/** What the emulator does although no document, SDK or issue that could be read says so. Slack may do otherwise. */
export const UNVERIFIED_FACTS: readonly string[] = [
  'A message takes 50 different emoji, and 23 of each person: Slack documents `too_many_emoji` and `too_many_reactions` without numbers',
  'Metadata of more than 16 KB is refused: Slack documents `metadata_too_large` without a size',
  'Skin tones on emoji that have none are refused (`invalid_name`)',
  'Thumbnails are PNGs, whatever the type of the picture',
  'Names of arguments with more than 255 characters are refused (`invalid_arg_name`)',
  'A streamed message is announced when it begins and when it is complete; its `streaming_state` is `in_progress`, then `completed`',
  'The details and the output of a task grow with each update that has more of them',
  'A chat begins with a message by its person, of the subtype `assistant_app_thread`',
  'The token of a step works for five more seconds after the step has ended',
  'A refresh token works for one more minute after its first use',
  'A missing argument is `invalid_arguments` unless the method documents an error of its own for it',
];
