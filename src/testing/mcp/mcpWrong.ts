// Wrong arguments of tools, made from the schemas that models see: of each argument every way in which it can be wrong.
type Json = Record<string, unknown>
type Property = Json & {
  type?: string | string[]
  enum?: unknown[]
  minimum?: number
  maximum?: number
  items?: Property
}
export type ArgumentsSchema = { properties: Record<string, Property>; required?: string[] }

/** `of`: the argument at fault. `repair`: the first suggestion for it. */
export type WrongCall = { what: string; of: string; arguments: Json; repair?: Json }

const typeOf = ({ type }: Property): string | undefined => [type].flat().find((one) => one !== 'null')

/** A value that the schema takes, whatever it means. */
function anyValue(property: Property): unknown {
  if (property.enum) return property.enum[0]
  const type = typeOf(property)
  if (type === 'integer' || type === 'number') return property.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'array') return [property.items ? anyValue(property.items) : 'x']
  if (type === 'object')
    return Object.fromEntries(
      Object.entries((property.properties ?? {}) as Json).map(([name, one]) => [name, anyValue(one as Property)]),
    )
  return 'Something or other'
}

/** Further properties of some texts. */
const named: Json = { timezone: 'UTC', start_time: '2027-01-01T09:00:00Z' }

/** Of no type that the property has, also as a text. */
function otherType(property: Property): unknown {
  const type = typeOf(property)
  return type === 'string' || property.enum ? { of: 'another type' } : type === 'array' ? true : 'perhaps'
}

function* wrongValues(name: string, property: Property): Generator<Omit<WrongCall, 'arguments'> & { value: unknown }> {
  const type = typeOf(property)
  const { minimum, maximum } = property
  yield { what: 'another type', of: name, value: otherType(property) }
  if (minimum !== undefined) yield { what: 'less', of: name, value: minimum - 1, repair: { [name]: minimum } }
  if (maximum !== undefined) yield { what: 'more', of: name, value: maximum + 1, repair: { [name]: maximum } }
  if (type === 'integer') yield { what: 'a fraction', of: name, value: (minimum ?? 1) + 0.5 }
  if (property.enum) yield { what: 'an unknown word', of: name, value: 'zzzzzzzz' }
  if (type === 'string') {
    yield { what: 'a text that is too long', of: name, value: 'x'.repeat(120_000) }
    yield { what: 'a zero character', of: name, value: 'a\u0000b' }
    yield { what: 'half a character', of: name, value: 'a\ud800' }
  }
  if (type === 'array') yield { what: 'a list of other things', of: name, value: [{ of: ['another type'] }] }
}

/** Everything that can be wrong with a call, one thing at a time. */
export function* wrongCalls({ properties, required = [] }: ArgumentsSchema): Generator<WrongCall> {
  const known = Object.keys(properties)
  const whole = Object.fromEntries(required.map((name) => [name, named[name] ?? anyValue(properties[name]!)]))
  yield { what: 'an unknown name', of: 'qqqqqqqqqq', arguments: { ...whole, qqqqqqqqqq: 1 } }
  for (const [name, property] of Object.entries(properties)) {
    const { [name]: _, ...others } = whole
    if (required.includes(name)) yield { what: 'left out', of: name, arguments: others }
    if (required.includes(name) && ![property.type].flat().includes('null')) {
      yield { what: 'null', of: name, arguments: { ...others, [name]: null } }
    }
    const misspelt = `${name}x`
    if (!known.includes(misspelt)) {
      const value = anyValue(property)
      const repair = { [name]: value, [misspelt]: null }
      yield { what: 'misspelt', of: misspelt, arguments: { ...others, [misspelt]: value }, repair }
    }
    for (const { value, ...rest } of wrongValues(name, property))
      yield { ...rest, arguments: { ...whole, [name]: value } }
  }
}
