/** The rights that the app asks for, each with what would not work without it. The list is as short as it can be. */
export const BOT_SCOPES: Readonly<Record<string, string>> = {
  commands: 'to answer slash commands',
  'chat:write':
    'to share a post with a channel the bot was invited to, and to tell a person what became of theirs',
  'users:read': "to take a person's time zone from their profile",
};
