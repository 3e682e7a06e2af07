import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = {
  /** Below /console. */
  to: string
  search?: Record<string, string>
  className?: string
  onClick?: () => void
  children: ReactNode
}

/** A link to another screen. */
export const A = ({ to, search = {}, children, ...rest }: Props) => (
  <Link to={to} search={search as never} {...rest}>
    {children}
  </Link>
)

/** A link only for addresses of the web; anything else is text. */
export const Outward = ({ href, children }: { href: string; children?: ReactNode }) =>
  /^https?:\/\//i.test(href) ? (
    <a href={href} rel="noopener">
      {children || href}
    </a>
  ) : (
    href
  )
