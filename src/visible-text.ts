/** Control characters, those that change the direction of text, and those that nobody sees. */
const UNSEEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f' +
  '\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';

/**
 * The pattern that the contract has for names and other free texts. The joiners U+200C and U+200D are allowed: some
 * scripts need them.
 */
export const VISIBLE_TEXT = `^ *[^\\s${UNSEEN}][^${UNSEEN}]*$`;
