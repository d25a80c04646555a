/** The most common emoji codes. Other codes are shown as text, as Slack shows unknown codes. */
const SHORT_CODES = `
+1=👍 -1=👎 thumbsup=👍 thumbsdown=👎 wave=👋 clap=👏 raised_hands=🙌 pray=🙏 muscle=💪 point_right=👉 point_left=👈
point_up=👆 point_down=👇 ok_hand=👌 eyes=👀 brain=🧠 tada=🎉 sparkles=✨ star=⭐ star2=🌟 fire=🔥 rocket=🚀 zap=⚡
bulb=💡 heart=❤️ broken_heart=💔 smile=😄 smiley=😃 grinning=😀 grin=😁 joy=😂 slightly_smiling_face=🙂 wink=😉
blush=😊 thinking_face=🤔 neutral_face=😐 sweat_smile=😅 sob=😭 cry=😢 rage=😡 scream=😱 sunglasses=😎 sleeping=😴
see_no_evil=🙈 shrug=🤷 facepalm=🤦 robot_face=🤖 ghost=👻 white_check_mark=✅ heavy_check_mark=✔️
ballot_box_with_check=☑️ x=❌ negative_squared_cross_mark=❎ warning=⚠️ no_entry=⛔ no_entry_sign=🚫
octagonal_sign=🛑 rotating_light=🚨 exclamation=❗ question=❓ grey_question=❔ information_source=ℹ️ bangbang=‼️
red_circle=🔴 large_orange_circle=🟠 large_yellow_circle=🟡 large_green_circle=🟢 large_blue_circle=🔵
large_purple_circle=🟣 white_circle=⚪ black_circle=⚫ large_green_square=🟩 large_red_square=🟥
large_yellow_square=🟨 small_blue_diamond=🔹 calendar=📅 date=📆 spiral_calendar_pad=🗓️ clock1=🕐 clock3=🕒
clock9=🕘 alarm_clock=⏰ hourglass=⌛ hourglass_flowing_sand=⏳ stopwatch=⏱️ timer_clock=⏲️ watch=⌚ bell=🔔
no_bell=🔕 mega=📣 loudspeaker=📢 speech_balloon=💬 thought_balloon=💭 email=✉️ envelope=✉️ incoming_envelope=📨
inbox_tray=📥 outbox_tray=📤 mailbox=📫 pushpin=📌 round_pushpin=📍 paperclip=📎 link=🔗 lock=🔒 unlock=🔓 key=🔑
mag=🔍 mag_right=🔎 gear=⚙️ wrench=🔧 hammer=🔨 hammer_and_wrench=🛠️ package=📦 gift=🎁 memo=📝 pencil=📝 pencil2=✏️
clipboard=📋 page_facing_up=📄 newspaper=📰 books=📚 book=📖 open_book=📖 bookmark=🔖 bar_chart=📊
chart_with_upwards_trend=📈 chart_with_downwards_trend=📉 file_folder=📁 card_index_dividers=🗂️ wastebasket=🗑️
recycle=♻️ camera=📷 frame_with_picture=🖼️ movie_camera=🎥 film_frames=🎞️ art=🎨 musical_note=🎵 headphones=🎧
iphone=📱 computer=💻 desktop_computer=🖥️ globe_with_meridians=🌐 earth_africa=🌍 earth_americas=🌎 earth_asia=🌏
world_map=🗺️ house=🏠 office=🏢 coffee=☕ cake=🍰 pizza=🍕 beers=🍻 sunny=☀️ cloud=☁️ rainbow=🌈 snowflake=❄️
ocean=🌊 seedling=🌱 christmas_tree=🎄 dog=🐶 cat=🐱 bee=🐝 arrow_right=➡️ arrow_left=⬅️ arrow_up=⬆️ arrow_down=⬇️
arrows_counterclockwise=🔄 repeat=🔁 fast_forward=⏩ double_vertical_bar=⏸️ arrow_forward=▶️
black_square_for_stop=⏹️ back=🔙 soon=🔜 new=🆕 free=🆓 100=💯 one=1️⃣ two=2️⃣ three=3️⃣ four=4️⃣ five=5️⃣
six=6️⃣ seven=7️⃣ eight=8️⃣ nine=9️⃣ bust_in_silhouette=👤 busts_in_silhouette=👥 family=👪 handshake=🤝
writing_hand=✍️ test_tube=🧪 construction=🚧 label=🏷️
`;

const EMOJI = new Map(
  SHORT_CODES.trim()
    .split(/\s+/)
    .map((entry) => {
      const end = entry.indexOf('=');
      return [entry.slice(0, end), entry.slice(end + 1)];
    }),
);

/** The name has no colons. */
export const findEmoji = (name: string): string | undefined => EMOJI.get(name);

const CODES = new Map([...EMOJI].toReversed().map(([name, emoji]) => [emoji, `:${name}:`]));
const EMOJI_BY_LENGTH = [...CODES.keys()].sort((one, other) => other.length - one.length);
/** Emoji without a skin tone that aren't a part of another one. */
const WHOLE_EMOJI = new RegExp(
  `(?<!\\u200d)(?:${EMOJI_BY_LENGTH.join('|')})(?![\\u200d\\u{1f3fb}-\\u{1f3ff}])`,
  'gu',
);

/** Replaces common emoji with their codes, such as `:tada:`. Slack does this in messages with all emoji. */
export const encodeEmoji = (text: string) => text.replace(WHOLE_EMOJI, (emoji) => CODES.get(emoji) ?? emoji);

/** The emoji of these code points. Undefined if they aren't valid. They are hexadecimal: `1f44b-1f3fd`. */
export function decodeEmoji(unicode: string | undefined): string | undefined {
  if (unicode === undefined || !/^[0-9a-f]{2,5}(?:-[0-9a-f]{2,5})*$/i.test(unicode)) return undefined;
  return String.fromCodePoint(...unicode.split('-').map((code) => Number.parseInt(code, 16)));
}

/** Replaces the emoji codes of a plain text, such as `:tada:`. Unknown codes stay. */
export function replaceEmojiCodes(text: string) {
  return text.replace(/:([a-z0-9_+'-]{1,40}):/g, (code, name) => findEmoji(name) ?? code);
}
