# brokerage-mcp over HTTP. docs/http.md, "In a container", has the line that runs it.
# Debian's glibc, because the package that brings SQLite has a binary for it and nothing has to compile.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# No package needs its install scripts, so none may run.
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.mjs

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /packages
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="brokerage-mcp" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=packages /packages/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY LICENSE ./
# The state is its user's alone, as the program wants it; the link is for `docker exec … brokerage-mcp approve`.
RUN mkdir -m 700 /state \
 && chown node:node /state \
 && ln -s /app/dist/brokerage-mcp.cjs /usr/local/bin/brokerage-mcp
# The names of places, never a secret: a layer can be read by everybody who has the image.
ENV BROKER_STATE_DIR=/state \
    BROKER_CONFIG_DIR=/config \
    BROKER_HTTP_TOKEN_FILE=/run/secrets/http-token
VOLUME /state
EXPOSE 7070
USER node
# Asked by a name that the server answers to on every address: 127.0.0.1 with its port.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7070/health').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm in between: signals reach the program itself.
ENTRYPOINT ["node", "/app/dist/brokerage-mcp.cjs"]
CMD ["--http", "0.0.0.0:7070"]
