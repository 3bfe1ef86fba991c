/**
 * PostgreSQL's text holds no NUL, and half of a surrogate pair has no UTF-8 form: such a text would
 * not come back as it went in, so both back ends refuse it.
 */
export const isStorableText = (text: string): boolean =>
  text.isWellFormed() && !text.includes("\u0000");
