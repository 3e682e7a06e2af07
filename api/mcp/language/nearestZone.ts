// The zone that a misspelt name probably stands for: `Berlin`, `Europe/Berln`, `America/New York`.

import { isZone } from '../../../src/shapes/zones.ts'
import { nearestName } from '../../http/nearest.ts'

/** By its name in small letters, and by its last part. */
let known: { byName: Map<string, string>; byCity: Map<string, string> } | undefined

function zones() {
  const names = Intl.supportedValuesOf('timeZone').filter(isZone)
  const inSmall = (text: string): string => text.toLowerCase()
  known ??= {
    byName: new Map(names.map((name) => [inSmall(name), name])),
    byCity: new Map(names.map((name) => [inSmall(name.split('/').at(-1)!), name])),
  }
  return known
}

/** Shorter names are abbreviations, which are similar to too many zones. */
const minLength = 4

/** Undefined if none is near enough. */
export function nearestZone(sent: string): string | undefined {
  const name = sent.trim().toLowerCase().replaceAll(/\s+/g, '_')
  if (name.length < minLength || name.length > 64) return undefined
  const { byName, byCity } = zones()
  const found = byName.get(name) ?? byCity.get(name.split('/').at(-1)!)
  if (found) return found
  const near = nearestName(name, [...(name.includes('/') ? byName : byCity).keys()])
  return near === undefined ? undefined : (byName.get(near) ?? byCity.get(near))
}
