// Metadata of a record: an object of any names and values, as JSON in a form. Pure.

type Metadata = Record<string, unknown>

export const metadataText = (metadata: Metadata): string =>
  Object.keys(metadata).length > 0 ? JSON.stringify(metadata, null, 2) : ''

/** A text that is no JSON goes as it is, so that the service says what is wrong with it. */
export function metadataOf(text: string): Metadata {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text as unknown as Metadata
  }
}
