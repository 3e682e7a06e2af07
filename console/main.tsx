import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { router } from './router.tsx'
import { followTheme } from './state/settings.ts'
import { sendRemovals } from './state/undo.ts'
import './style/tokens.css'
import './style/base.css'
import './style/frame.css'
import './style/parts.css'
import './style/calendar.css'
import { isPseudo } from './texts.ts'

if (isPseudo) document.documentElement.dir = 'rtl'
followTheme()
addEventListener('pagehide', sendRemovals)
// A page that the browser kept in its memory may be of a session that has ended.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

createRoot(document.getElementById('root')!).render(<RouterProvider router={router} />)
