# Only the service, without tools, tests or the embedded Postgres. Node runs the TypeScript sources directly.
FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
COPY src src
COPY generated generated
COPY api/released api/released
COPY contract-gate/src contract-gate/src
COPY migrations migrations
COPY docs docs
COPY content content
COPY CHANGELOG.md ./
USER node
EXPOSE 3000
CMD ["node", "src/main.ts"]
