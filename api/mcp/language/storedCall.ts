// A call of a tool as it was read, to act on it later: JSON that tells datetimes from texts.
type StoredCall = {
  arguments: Record<string, unknown>
  input: Record<string, unknown>
  context: Record<string, unknown>
}

/** No argument can have this name: texts that Postgres cannot store are refused. */
const dateKey = '\0date'

export const toStoredCall = (call: StoredCall): string =>
  JSON.stringify(call, function (this: Record<string, unknown>, name, value) {
    const given = this[name]
    return given instanceof Date ? { [dateKey]: given.toISOString() } : value
  })

export const fromStoredCall = (text: string): StoredCall =>
  JSON.parse(text, (_, value) => (isDate(value) ? new Date(value[dateKey]) : value))

const isDate = (value: unknown): value is { [dateKey]: string } =>
  typeof value === 'object' && value !== null && dateKey in value
