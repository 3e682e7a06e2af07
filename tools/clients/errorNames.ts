import type { Document } from '../../api/openapi/clientOperations.ts'

/** The class of each type of error: `not_found` is `NotFoundError`. Types whose names come out the same share a class. */
export function errorNames(document: Document): Map<string, string> {
  const types = document.components.schemas.Error!.properties!.error!.properties!.type!.enum as string[]
  return new Map(types.map((type) => [type, `${capitalized(camelCase(type.replace(/_error$/, '')))}Error`]))
}

export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
export const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
