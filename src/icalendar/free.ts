// Whether an event takes the time of the person in whose calendar it stands.
import type { Component, Property } from './components.ts'
import { isCancelled, parameterOf } from './values.ts'

/**
 * `addresses` are the person's own, as in `calendar-user-address-set`. An event is free if it is cancelled, transparent, shown
 * as free by Exchange, or declined by the person. Every other event takes time, also one that waits for an answer.
 */
export function isFreeFor(addresses: readonly string[]): (component: Component) => boolean {
  const own = new Set(addresses.map(plainAddress))
  const isDeclined = (property: Property) =>
    own.has(plainAddress(property.value)) && parameterOf(property, 'PARTSTAT')?.toUpperCase() === 'DECLINED'
  return ({ properties }) => {
    const first = (name: string) => properties.get(name)?.[0]?.value.trim().toUpperCase()
    return (
      isCancelled(first('STATUS')) ||
      first('TRANSP') === 'TRANSPARENT' ||
      first('X-MICROSOFT-CDO-BUSYSTATUS') === 'FREE' ||
      (properties.get('ATTENDEE')?.some(isDeclined) ?? false)
    )
  }
}

const plainAddress = (address: string): string =>
  address
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/\/$/, '')
    .toLowerCase()
