# One image runs it all: the API with an embedded PostgreSQL in /data, or with DATABASE_URL any other.
FROM node:22-bookworm-slim AS build
WORKDIR /ahwa
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
# What only development needs has no place where the program runs.
RUN npm run build && npm prune --omit=dev \
 && rm -rf src test bench examples scripts docs tsconfig.json eslint.config.js vitest.config.ts

FROM node:22-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/* \
 && install -d -o node -g node -m 0700 /data
WORKDIR /ahwa
COPY --from=build --chown=root:root /ahwa ./
USER node
ENV NODE_ENV=production DATA_DIR=/data PORT=8080 METRICS_HOST=0.0.0.0
VOLUME /data
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||8080)+'/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# npm does not forward SIGTERM; node itself does, under an init that reaps.
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/main.js"]
