"""Clusters, infrastructure and clouds. Their words leave the machine, so each must be known exactly."""

from planact.shell.table import rows

_GROUPS = {
    "kube": """
        -n: --namespace= --namespace: --context= --context: --cluster= --cluster: --request-timeout=
        --request-timeout: -v:
    """,
    "print": """
        -o: --output= --output: --show-labels -L: --label-columns= --no-headers --sort-by= --sort-by:
        --template= --template: --show-kind --show-managed-fields --server-print?
        --allow-missing-template-keys? --ignore-not-found?
    """,
    "pick": "-l: --selector= --selector: --field-selector= --field-selector: -A --all-namespaces",
    "helm": "-n: --namespace= --namespace: --kube-context= --kube-context: --debug",
    "tf": "-no-color -json",
}

CLOUD = rows(
    """
kubectl, oc: none | @kube
kubectl get, oc get: net check=kubectl-get word* | @kube @print @pick -w --watch --watch-only -R --chunk-size=
    --subresource= -f:p --raw:
    --output-watch-events
kubectl describe, oc describe: net word* | @kube @pick --show-events? --chunk-size=
kubectl logs, oc logs: net word* | @kube -l: --selector= --selector: -c: --container= --container:
    --all-containers? -f --follow --tail= --tail: --since= --since:
    --since-time= -p --previous --timestamps? --prefix --limit-bytes= --max-log-requests= --ignore-errors --all-pods
kubectl explain: net word | @kube --recursive? --api-version= --output=
kubectl api-resources, kubectl api-versions: net none | @kube -o: --output= --namespaced?
    --api-group= --verbs= --no-headers --sort-by= --cached
    --categories=
kubectl version: net none | @kube --client? -o: --output= --short
kubectl cluster-info: net none | @kube
kubectl config view: check=kubectl-raw none | @kube -o: --output= --minify? --flatten --raw? --merge?
kubectl config current-context, kubectl config get-contexts, kubectl config get-clusters, kubectl config
    get-users: word* | -o: --output= --no-headers
kubectl auth can-i: net word* | @kube --list -A --all-namespaces -q --quiet --subresource= --no-headers
kubectl auth whoami: net none | @kube -o: --output=
kubectl rollout status, kubectl rollout history: net word* | @kube -w --watch? --revision=
    --timeout= -o: --output= -l: --selector=
kubectl top, kubectl top pod, kubectl top pods, kubectl top node, kubectl top nodes, kubectl top po, kubectl top
    no: net word* | @kube @pick --containers --no-headers --sort-by= --sum --use-protocol-buffers
kubectl events: net none | @kube -A --all-namespaces --for= --for: --types= --types: -w --watch -o:
    --output= --no-headers
kubectl wait: net word* | @kube @pick --for= --for: --timeout= --timeout: --all
kubectl plugin list, kubectl options, kubectl help: word* |
kubectl kustomize: path |
kustomize build: path |
oc whoami, oc status, oc projects, oc version: net none | @kube
kubectl apply, kubectl create, kubectl delete, kubectl edit, kubectl patch, kubectl replace, kubectl scale,
    kubectl set, kubectl label, kubectl annotate,
    kubectl expose, kubectl run, kubectl exec, kubectl attach, kubectl cp, kubectl port-forward, kubectl proxy,
    kubectl debug, kubectl drain, kubectl cordon,
    kubectl uncordon, kubectl taint, kubectl autoscale, kubectl rollout undo, kubectl rollout restart, kubectl
    rollout pause, kubectl rollout resume,
    kubectl config set, kubectl config set-context, kubectl config use-context, kubectl config set-cluster,
    kubectl config set-credentials,
    kubectl config delete-context, kubectl config delete-cluster, kubectl config unset, kubectl config
    rename-context, kubectl certificate approve, kubectl certificate deny: mutates none |
helm list, helm ls, helm status, helm history, helm get, helm get all, helm get values, helm get manifest, helm
    get notes, helm get hooks, helm get metadata:
    net word* | @helm -A --all-namespaces -a --all -q --short -o: --output= --filter= --filter:
    --revision= --revision: --deployed --failed --pending -l: --selector= -d --date -r
    --reverse -m: --max= --offset= --superseded --uninstalled --show-resources --show-desc --template=
helm show chart, helm show values, helm show readme, helm show all, helm show crds, helm search repo, helm search
    hub, helm inspect: net check=address word* | @helm --version= --version: -l --versions --devel --repo=
    -o: --output= --max-col-width= --jsonpath=
helm repo list, helm repo ls, helm version, helm env, helm plugin list, helm dependency list, helm dep list: word*
    | @helm -o: --output= --short --template= --client
helm lint: path* | @helm --strict -f:p --values=p --quiet --set= --with-subcharts
helm template: word path | -f:p --values=p --set= --set: --set-string= -n: --namespace= -s: --show-only=
    --include-crds --skip-tests --debug --release-name --is-upgrade
helm install, helm upgrade, helm uninstall, helm delete, helm rollback, helm repo add, helm repo remove, helm repo
    update, helm push, helm pull, helm package,
    helm create, helm plugin install, helm dependency update, helm dependency build: mutates none |
kubectx, kubens: none | -c --current
stern: net word* | @kube --since= --since: --tail= --tail: -c: --container= -l: --selector= -A
    --all-namespaces --no-follow -o: --output= -t --timestamps --color=
minikube status, minikube ip, minikube profile list, kind get clusters, kind get nodes, k3d cluster list: daemon
    none | -o: --output= -p: --profile= --name=
eksctl get cluster, eksctl get nodegroup: net word* | --region= --cluster= --name= -o: --output=
terraform, tofu: none | -version --version -v -chdir=p -help --help
terraform version, terraform workspace show, terraform workspace list, terraform state list, tofu version, tofu
    workspace list, tofu workspace show, tofu state list: net long path* | @tf -state:p -id:
terraform output, tofu output: net long check=terraform-output word | @tf -state:p -raw
# What starts the providers in `.terraform` gets no network.
terraform show, terraform graph, terraform state show, tofu show, tofu graph, tofu state show: configured long
    check=terraform-output path* | @tf -state:p -type: -plan:p -module-depth:
terraform providers, tofu providers: net long none | @tf -test-directory:p
terraform providers schema, tofu providers schema: configured long none | @tf
terraform validate, tofu validate: configured long path | @tf -no-tests -test-directory:p
terraform fmt, tofu fmt: long check=terraform-fmt path* | -check -diff -recursive -list: -write:(false) -no-color
terraform metadata functions: long none | -json
terraform state pull, tofu state pull: net secret none |
terraform apply, terraform destroy, terraform init, terraform import, terraform taint, terraform untaint,
    terraform refresh, terraform state mv, terraform state rm,
    terraform state push, terraform state replace-provider, terraform workspace new, terraform workspace select,
    terraform workspace delete, terraform force-unlock, terraform login,
    terraform logout, terraform get, tofu apply, tofu destroy, tofu init: mutates none |
aws: net free check=aws word* |
gcloud config list, gcloud config get-value, gcloud config get, gcloud config configurations list, gcloud info,
    gcloud version, gcloud components list: net word* |
    --format= --format: --project= --project: --quiet -q --all
gcloud projects list, gcloud projects describe, gcloud compute instances list, gcloud compute instances describe,
    gcloud compute zones list, gcloud compute regions list,
    gcloud compute networks list, gcloud compute disks list, gcloud container clusters list, gcloud container
    clusters describe, gcloud run services list, gcloud run services describe, gcloud functions list,
    gcloud functions describe, gcloud sql instances list, gcloud sql instances describe, gcloud services list,
    gcloud iam roles list, gcloud iam roles describe, gcloud iam service-accounts list, gcloud storage ls,
    gcloud storage buckets list, gcloud pubsub topics list, gcloud pubsub subscriptions list, gcloud logging read,
    gcloud builds list, gcloud builds describe, gcloud secrets list, gcloud artifacts repositories list,
    gcloud app describe, gcloud dns managed-zones list, gcloud auth list, gcloud organizations list, gcloud
    billing accounts list:
    net word* | --format= --format: --project= --project: --filter= --filter: --limit= --limit:
    --region= --region: --zone= --zone: --location= --quiet -q --sort-by= --platform= --enabled --available
    --uri --freshness= --order=
gcloud auth print-access-token, gcloud auth print-identity-token, gcloud secrets versions access: net secret
    word* | --secret= --project=
gsutil ls, gsutil du, gsutil stat, gsutil version: net word* | -l -L -h -r -b -s -a -p:
bq ls, bq show: net word* | --format= --project_id= -n: --schema
az account show, az account list, az group list, az group show, az vm list, az vm show, az resource list, az
    resource show, az aks list, az aks show, az acr list, az webapp list, az webapp show,
    az storage account list, az network vnet list, az functionapp list, az keyvault list, az keyvault secret list,
    az ad signed-in-user show, az version, az account list-locations:
    net none | -o: --output= --output: --query= --query: -g: --resource-group= --resource-group: -n:
    --name= --name: --subscription= --subscription: -d --show-details --all
az account get-access-token, az keyvault secret show: net secret none | -o: --output= --query=
    --name= -n: --vault-name= --vault-name: --resource=
doctl compute droplet list, doctl account get, doctl kubernetes cluster list: net word* | --format=
    --no-header -o:
heroku apps, heroku logs, heroku ps, heroku releases, heroku addons, heroku status, heroku domains: net
    none | -a: --app= -n: --num= --json --tail
heroku config: net secret none | -a: --app= --json
flyctl status, flyctl logs, flyctl apps list, flyctl releases, fly status, fly logs, fly apps list: net
    none | -a: --app= -j --json
vercel ls, vercel list, vercel whoami, vercel inspect, netlify status, netlify sites:list: net word* |
vault status: net none | -format=
vault kv get, vault read: net secret word* | -format= -field= -mount=
consul members, consul catalog services, nomad status, nomad node status: net word* | -short
    -verbose -json
pulumi stack ls, pulumi stack output, pulumi whoami: net word* | --json
    -j --stack= -s:
ansible-doc: configured word* | -l --list -t: --type= -s --snippet -j --json
""",
    _GROUPS,
)
