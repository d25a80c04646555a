/** Keys of documented and recorded answers and payloads that ours lack, with the reason. */
export const OMITTED_KEYS: readonly [names: RegExp, keys: RegExp, reason: string][] = [
  [
    /^conversations\.replies$/,
    /^messages\[1\]\.reply_count:/,
    'only the first message of a thread has replies',
  ],
  [
    /^(bots|files|users)\./,
    /\.(avatar_hash|image_\w+|thumb_\w+|original_\w|pjpeg|deanimate_gif):/,
    'pictures',
  ],
  [/^users\./, /has_2fa:/, 'only people’s tokens see it'],
  [/^users\.list$/, /^members\[\d+\]\./, 'people of elsewhere and deactivated people have less'],
  [/^users\.profile\.get$/, /^profile\.fields\./, 'nobody here has fields of the workspace’s own'],
  [
    /^users\.profile\.get$/,
    /^profile\.(huddle|pronouns|phone|skype|start_date|status_)/,
    'nobody filled them in',
  ],
  [/^chat\./, /^message\.(username|attachments|subtype):/, 'the example has a name and attachments'],
  [
    /^reactions\.list$/,
    /^items\[\d+\]\.(message\.(subtype|username)|comment|file)/,
    'the example has other items',
  ],
  [/^chat\.scheduleMessage$/, /^post_at: number/, 'the recordings have a number'],
  [
    /^conversations\./,
    /\.(last_read|latest|unread_count\w*|priority|subscribed):/,
    'of the person whose token it is',
  ],
  [/^conversations\./, /^channel\.(is_read_only|locale|properties\.\w+):/, 'only channels that have them'],
  [
    /^files\.info$/,
    /^file\.(is_starred|alt_txt|shares(?:\.\w+)?|image_exif_rotation):/,
    'the example is a shared picture',
  ],
  [/^team\.info$/, /^team\.enterprise_/, 'this workspace belongs to no organisation'],
  [/^usergroups\.list$/, /auto_type: null/, 'only groups that Slack made have one'],
  [/^event app_home_opened$/, /^view:/, 'the app has published no Home yet'],
  [
    /^event app_mention$/,
    /^(username|app_id|bot_\w+|subtype|upload|display_as_bot|\w+_team|user_profile|edited|thread_ts):/,
    'recordings mix mentions by people and by apps',
  ],
  [/^event link_shared$/, /^thread_ts:/, 'not in a thread'],
  [/^event member_joined_channel$/, /^enterprise:/, 'this workspace belongs to no organisation'],
  [
    /^event user_change$/,
    /^user\.(is_(invited_user|connector_bot|stranger|workflow_bot)|has_\w+|presence|enterprise_user|two_factor_type|who_can_\w+):/,
    'recordings mix people, bots and organisations',
  ],
  // Interactions. The payloads in these tests press a button in a message, a form and Home.
  [/./, /\benterprise(_id|_name|\.\w+)?:/, 'this workspace belongs to no organisation'],
  [/^block_actions /, /^actions\[\]\./, 'the other elements have them (payloads.test.ts)'],
  [
    /^(block_actions|view_)/,
    /^(function_data|interactivity|bot_access_token)\b/,
    'only of steps (steps.test.ts)',
  ],
  [
    /^block_actions /,
    /^(app_unfurl|container\.(\w*app_unfurl\w*|attachment_id|text))\b/,
    'only in attachments',
  ],
  [/^block_actions /, /^container\.thread_ts:/, 'not in a thread'],
  [
    /^block_actions in (modal|home)$/,
    /^(channel|message|response_url|state|container)\b/,
    'only in messages',
  ],
  [/^block_actions in an? (ephemeral )?message$/, /^(view|container\.view_id):/, 'only in views'],
  [/^block_actions in an ephemeral message$/, /^message:/, 'only in messages that stay'],
  [/^view_submission$/, /^is_cleared:/, 'only of closed views; the SDK for Java has one type for both'],
  [/^view_submission$/, /^response_urls\[\]/, 'only with response_url_enabled (response-urls.test.ts)'],
  [
    /^view$/,
    /^(app_unfurl_url|channel|message_ts|thread_ts|entity_url|external_ref)\b/,
    'views of unfurled links',
  ],
  [/^view$/, /^(close|submit)\.\w+:/, 'Home has neither'],
  [/^view$/, /^submit_disabled:/, 'not in the views that vercel/chat recorded'],
];
