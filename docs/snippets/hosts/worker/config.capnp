using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true))),
    (name = "disk", disk = (path = "data", writable = true)),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "GatewayObject", uniqueKey = "gateway", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [
    (name = "GATEWAY", durableObjectNamespace = "GatewayObject"),
    (name = "CONTEXT_SECRET", fromEnvironment = "CONTEXT_SECRET"),
    (name = "OPERATOR_TOKEN", fromEnvironment = "OPERATOR_TOKEN"),
  ],
);
