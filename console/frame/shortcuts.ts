import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { settings } from '../state/settings.ts'
import { allowedScreens } from './screens.ts'

/** Where `g` and a letter lead. */
const places: Record<string, string> = {
  s: '/start',
  c: '/calendar',
  a: '/agents',
  w: '/webhooks',
  k: '/keys',
  l: '/logs',
  p: '/approvals',
}

const togetherMs = 1_500

/** Single keys never act in fields, in dialogs, or together with others. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const element = target as HTMLElement
  const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) || element.isContentEditable
  return ctrlKey || metaKey || altKey || isField || element.closest('dialog') !== null || !settings.get().singleKeys
}

/** `g` and a letter, everywhere. */
export function useShortcuts(): void {
  const navigate = useNavigate()
  useEffect(() => {
    let wentAt = 0
    const hear = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      const place = Date.now() - wentAt < togetherMs ? places[event.key] : undefined
      wentAt = event.key === 'g' ? Date.now() : 0
      if (!place) return
      // The second key is not one of the screen.
      event.preventDefault()
      if (allowedScreens().some(({ to }) => to === place)) navigate({ to: place })
    }
    addEventListener('keydown', hear, { capture: true })
    return () => removeEventListener('keydown', hear, { capture: true })
  }, [navigate])
}

/** Single keys of a screen. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || isTyping(event)) return
      const run = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}
