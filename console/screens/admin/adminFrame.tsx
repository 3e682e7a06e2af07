import { Link, Outlet } from '@tanstack/react-router'
import { Alarms } from '../../frame/alarms.tsx'
import { Main } from '../../frame/main.tsx'
import { Notifications } from '../../frame/notifications.tsx'
import { SecretDialog } from '../../parts/secret.tsx'
import { queryClient } from '../../service/queryClient.ts'
import { service } from '../../service/service.ts'
import { texts } from '../../texts.ts'

const screens = [
  { to: '/admin/organizations', label: texts.admin.organizations },
  { to: '/admin/terms', label: texts.admin.terms },
  { to: '/admin/queues', label: texts.admin.queues },
]

/** A new page, so that nothing of the installation stays in the memory of this one. */
async function leave(): Promise<void> {
  await service.administration.closeAdminSession().catch(() => {})
  queryClient.clear()
  location.replace('/console/admin')
}

/** Around the screens of the administrator. */
export const AdminFrame = () => (
  <>
    <a className="skip" href="#main">
      {texts.skip}
    </a>
    <header className="bar">
      <a className="brand" href="/console/admin/organizations">
        agent-calendar
      </a>
      <nav className="open" aria-label={texts.admin.navigation}>
        <ul>
          {screens.map(({ to, label }) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="tools">
        <button type="button" className="quiet small" onClick={leave}>
          {texts.admin.leave}
        </button>
      </div>
    </header>
    <Main>
      <Alarms />
      <Outlet />
    </Main>
    <Notifications />
    <SecretDialog />
  </>
)
