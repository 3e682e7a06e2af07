// What the generated table says of each command.

export type OptionSpec = {
  flag: string
  name: string
  place: 'body' | 'query'
  kind: 'text' | 'number' | 'boolean' | 'list' | 'numbers' | 'json'
  required: boolean
  choices?: readonly string[]
  /** `null` takes the value away. */
  isNullable?: boolean
  isTime?: boolean
  /** Asked for, and never taken from the command line, which other users of the machine can read. */
  isSecret?: boolean
  description?: string
}

export type CommandSpec = {
  id: string
  noun: string
  verb: string
  /** Where the client has it. */
  group: string
  name: string
  summary: string
  description: string
  words: readonly { name: string; description?: string }[]
  options: readonly OptionSpec[]
  hasBody: boolean
  paging: 'offset' | 'cursor' | 'none'
  isRead: boolean
  keyed: boolean
  ifMatch: boolean
  example: string
}
