// Identifiers in both forms: rows have UUIDs, the API and these commands have prefixes.
import { decodeId, encodeId, prefixes, type Uuid } from '../../src/shapes/ids.ts'
import { type Command, requireWord, UsageError } from './command.ts'
import { record } from './text.ts'

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const identifierCommands: readonly Command[] = [
  {
    name: 'ids',
    words: '<id>',
    what: 'Shows an identifier in its other form: that of the API (org_…), or the UUID that rows and SQL have.',
    more: 'Of a UUID it shows the identifier that each kind of record would have.',
    async run(_, given) {
      const forms = otherForms(requireWord(given, 0, 'identifier').toLowerCase())
      return { json: forms, text: record(forms) }
    },
  },
]

function otherForms(id: string): Record<string, string> {
  if (uuidForm.test(id)) return Object.fromEntries(prefixes.map((prefix) => [prefix, encodeId(prefix, id as Uuid)]))
  const prefix = prefixes.find((one) => id.startsWith(`${one}_`))
  const uuid = prefix && decodeId(prefix, id)
  if (!uuid) throw new UsageError(`${id} is no identifier and no UUID`)
  return { uuid }
}
