import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { texts } from '../texts.ts'
import { useScreens } from './screens.ts'

export function Navigation() {
  const [isOpen, setIsOpen] = useState(false)
  const { pathname } = useLocation()
  const screens = useScreens()
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when a person has chosen
  useEffect(() => setIsOpen(false), [pathname])
  return (
    <>
      <button
        type="button"
        className="quiet small menu-button"
        aria-expanded={isOpen}
        aria-controls="navigation"
        onClick={() => setIsOpen(!isOpen)}
      >
        {texts.menu}
      </button>
      <nav id="navigation" aria-label={texts.main} className={isOpen ? 'open' : undefined}>
        <ul>
          {screens.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: false, includeSearch: false }}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}
