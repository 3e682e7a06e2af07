// Numbers as a person types them. Pure.

/** Nothing typed is null, and no number stays what it is: the service says what is wrong with both. */
export function numberOf(text: string): number {
  const value = text.trim() === '' ? null : Number(text)
  return (Number.isNaN(value) ? text : value) as number
}
