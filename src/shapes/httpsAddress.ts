// An address that people open: of a call, of a document beside an event.

export const maxAddressLength = 2_048

const unseen = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

export const isHttpsAddress = (text: string): boolean =>
  text.length <= maxAddressLength && /^https:\/\//i.test(text) && !unseen.test(text) && URL.canParse(text)
