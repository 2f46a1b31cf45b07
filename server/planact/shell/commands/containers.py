"""docker and its relatives: what the daemon tells about images, containers, networks and volumes."""

from planact.shell.table import rows

_GROUPS = {
    "list": "-a --all -f: --filter= --filter: --format= --format: -q --quiet --no-trunc",
    "format": "-f: --format= --format:",
    "compose": """
        -f:p --file=p --file:p -p: --project-name= --project-name: --profile= --profile: --env-file=p
        --project-directory=p --ansi=
    """,
    "root": "-c: --context= --context: -D --debug -l: --log-level=",
}

CONTAINERS = rows(
    """
docker, podman: none | @root -v --version
docker ps, docker container ls, docker container list, docker container ps, podman ps: daemon none |
    @list -n: --last= -l --latest -s --size
docker images, docker image ls, docker image list, podman images: daemon word | @list --digests --tree
docker logs, docker container logs, podman logs: daemon word* | -f --follow --tail= --tail: -n:
    --since= --since: --until= --until: -t
    --timestamps --details
docker inspect, docker container inspect, docker image inspect, docker network inspect, docker volume inspect,
    docker context inspect,
    docker node inspect, docker service inspect, docker secret inspect, docker config inspect, docker plugin
    inspect, podman inspect: daemon word* | @format -s --size --type= --type: --pretty -v --verbose
docker version, docker info, docker system info, podman version, podman info: daemon none | @format
docker history, docker image history, podman history: daemon word | @format -H --human --no-trunc -q
    --quiet
docker top, docker container top: daemon word word* |
docker port, docker container port: daemon word word |
docker diff, docker container diff: daemon word |
docker stats, docker container stats, podman stats: daemon word* | -a --all @format --no-stream
    --no-trunc
docker events, docker system events: daemon none | -f: --filter= --filter: @format --since= --since:
    --until= --until:
docker network ls, docker network list, docker volume ls, docker volume list, docker node ls, docker node ps,
    docker service ls, docker service ps,
    docker service logs, docker stack ls, docker stack ps, docker stack services, docker secret ls, docker config
    ls, docker plugin ls, podman network ls, podman volume ls, podman pod ps, podman pod ls:
    daemon word* | @list --no-resolve --orchestrator= --tail= --tail: --since= --raw -t --timestamps
    --no-task-ids
docker system df: daemon none | -v --verbose @format
docker context ls, docker context list, docker context show: daemon none | -q --quiet @format
docker search: daemon word | -f: --filter= --format= --limit= --no-trunc
docker manifest inspect: daemon word word | -v --verbose --insecure
docker buildx ls, docker buildx version, docker buildx inspect, docker buildx du: daemon word | -f:
    --format= --verbose --no-trunc
docker buildx imagetools inspect: daemon word | --format= --raw
docker scout version, docker compose version, docker-compose version: daemon none | --short -f: --format=
docker compose, docker-compose: daemon none | @compose --version -v
docker compose ps, docker compose ls, docker compose images, docker compose top, docker compose port,
    docker-compose ps, docker-compose ls,
    docker-compose images, docker-compose top, docker-compose port, docker compose stats: daemon
    word* | -a --all -q --quiet --services --filter= --format= --format: --status= --no-trunc
    --protocol= --index= --no-stream --orphans
docker compose logs, docker-compose logs: daemon word* | -f --follow --tail= --tail: -n: --since=
    --since: --until= --until: -t --timestamps --no-color --no-log-prefix
    --index=
docker compose config, docker-compose config: daemon check=compose-config word* | --services --volumes --images
    --profiles -q --quiet --format=(yaml,json)
    --no-interpolate --hash= --no-normalize --environment --variables --networks
docker compose events: daemon word* | --json
docker help: word* |
crictl ps, crictl images, crictl pods, crictl info, crictl version, crictl stats: daemon word* | -a
    --all -o: --output= -q --quiet --name= -n:
docker run, docker exec, docker build, docker buildx build, docker rm, docker rmi, docker kill, docker stop,
    docker start, docker restart, docker pause,
    docker unpause, docker tag, docker push, docker pull, docker load, docker save, docker import, docker export,
    docker create, docker commit, docker cp, docker rename,
    docker update, docker attach, docker wait, docker login, docker logout, docker system prune, docker image
    prune, docker container prune, docker volume prune,
    docker network prune, docker network create, docker network rm, docker volume create, docker volume rm, docker
    compose up, docker compose down,
    docker compose run, docker compose exec, docker compose build, docker compose start, docker compose stop,
    docker compose restart, docker compose rm,
    docker compose pull, docker compose push, docker compose kill, docker-compose up, docker-compose down,
    docker-compose run, docker-compose exec,
    docker context use, docker context create, docker context rm, docker service update, docker service create,
    docker service rm, docker service scale,
    docker swarm init, docker swarm join, docker swarm leave, docker stack deploy, docker stack rm, podman run,
    podman exec, podman build, podman rm: mutates none |
""",
    _GROUPS,
)
