// Text without hidden characters: control characters, marks that change the direction of reading, and any other invisible one,
// which could carry orders to a model that no person sees. Pure.

/** Newline and tab stay, and one selector behind a sign, which gives an emoji its colours. */
const hidden = /[[\p{Cc}--[\n\t]][\p{DI}--[\ufe00-\ufe0f]]]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gv

export const visibleText = (text: string): string => text.replace(hidden, '')
